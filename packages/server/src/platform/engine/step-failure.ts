/** A step failed for a reason that its message explains to people, who can mend it. */
export class StepFailure extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StepFailure'
  }
}
