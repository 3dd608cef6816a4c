/** An expression or template that cannot be read or has no value. The message is a sentence for people. */
export class ExpressionError extends Error {
  /** Where in the text of the expression, as offsets, if that is known. */
  readonly range: { start: number; end: number } | undefined

  constructor(
    message: string,
    { range, ...options }: { cause?: unknown; range?: { start: number; end: number } } = {},
  ) {
    super(message, options)
    this.name = 'ExpressionError'
    this.range = range
  }
}
