// The command line that does the same, to copy.

// Control characters, and those that turn the direction of what follows or cannot be seen.
const unfit = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const plain = /^[\w@%+=:,./-]+$/;
const quoted = word => plain.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";

/** The same as a line for a shell; null where a word cannot stand in a line. */
export function shellLine(command, words = [], options = {}) {
	const given = Object.entries(options).filter(([, value]) => value != null && value !== "" && value !== false);
	const all = [...words, ...given.map(([, value]) => value)].map(String);
	if (all.some(word => unfit.test(word))) return null;
	let line = "gameconfctl " + command;
	const isLate = words.some(word => String(word).startsWith("-"));
	const tail = words.length ? " " + words.map(word => quoted(String(word))).join(" ") : "";
	if (!isLate) line += tail;
	for (const [name, value] of given) {
		line += ` --${name}`;
		if (value !== true) line += (String(value).startsWith("-") ? "=" : " ") + quoted(String(value));
	}
	return isLate ? `${line} --${tail}` : line;
}
