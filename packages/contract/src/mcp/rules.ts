/** Bounds of what assistants do over the Model Context Protocol. */
export const mcpBounds = {
  /** Sessions of one API key or login; one more ends the one that was used least recently. */
  sessionsPerCredential: 20,
  sessionsInAll: 2_000,
  /** A session that is not used for so long ends. */
  idleMinutes: 30,
  /** A plan that was made by a dry run can be carried out for so long. */
  planMinutes: 15,
  plansPerSession: 50,
  /** How long a person has to answer whether something may be destroyed. */
  confirmationMinutes: 5,
  /** Characters of one result as JSON; lists are cut until it fits, and the result says so. */
  maxResultChars: 40_000,
  maxTextChars: 4_000,
} as const
