/** A step failed for a reason that its message explains to people, who can mend it. */
export class StepFailure extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StepFailure'
  }
}

/** Why a step is broken off when its process goes down: it is not over, but goes on in the next process. */
export class EngineStopping extends Error {
  constructor() {
    super('The server is stopping')
    this.name = 'EngineStopping'
  }
}
