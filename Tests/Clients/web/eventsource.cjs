// The EventSource of a browser for a node that has none: one GET that sends no header of its own, and a new one when it ends.
'use strict';
const http = require('node:http');

class Source extends EventTarget {
  constructor(url) {
    super();
    this.url = url;
    this.readyState = 0;
    this.last = undefined;
    this.ask();
  }

  ask() {
    const headers = { Accept: 'text/event-stream', ...(this.last ? { 'Last-Event-ID': this.last } : {}) };
    this.request = http.get(this.url, { headers }, (answer) => {
      if (answer.statusCode !== 200) return this.fail();
      this.readyState = 1;
      this.dispatchEvent(new Event('open'));
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece) => {
        text += piece;
        for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) this.take(text.slice(0, end));
      });
      answer.on('end', () => this.again());
    });
    this.request.on('error', () => this.again());
  }

  take(block) {
    const fields = block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
    const of = (name) => fields.filter((field) => field[0] === name).map((field) => field[1]);
    this.last = of('id')[0] ?? this.last;
    if (of('data').length) this.dispatchEvent(Object.assign(new Event(of('event')[0] ?? 'message'), { data: of('data').join('\n') }));
  }

  // A browser gives up when the answer is no stream, and comes back when a stream ends.
  fail() {
    this.readyState = 2;
    this.dispatchEvent(new Event('error'));
  }

  again() {
    if (this.readyState === 2) return;
    this.readyState = 0;
    this.dispatchEvent(new Event('error'));
    setTimeout(() => this.readyState === 2 || this.ask(), 3000);
  }

  close() {
    this.readyState = 2;
    this.request.destroy();
  }
}

globalThis.EventSource ??= Source;
