/** Why a server cannot be reached, as a sentence. */
export class ConnectionProblem extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ConnectionProblem'
  }
}
