/** A sandbox that starts and never says a word. */
setInterval(() => undefined, 60_000)
