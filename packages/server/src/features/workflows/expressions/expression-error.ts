/** An expression or template that cannot be read or has no value. The message is a sentence for people. */
export class ExpressionError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ExpressionError'
  }
}
