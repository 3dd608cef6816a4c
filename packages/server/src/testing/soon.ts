/** The bound of what happens at once, on any machine, in ms: what is only looked at by turns is looked at once a minute. */
export const soonMs = 30_000
