// Loads the page behind its first frame, so that the frame waits for no script. A hidden tab has no frame, and its code does not last.

const load = () => import("/app.js");
if (document.hidden) load();
else requestAnimationFrame(() => setTimeout(load));
