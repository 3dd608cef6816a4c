/** A handler's reply with another status than the endpoint's, or with headers of its own. */
export class Answer<T> {
  readonly body: T
  readonly status: number | undefined
  readonly headers: Record<string, string>

  constructor(body: T, status: number | undefined, headers: Record<string, string>) {
    this.body = body
    this.status = status
    this.headers = headers
  }
}

export function answer<T>(
  body: T,
  options: { status?: number; headers?: Record<string, string> },
): Answer<T> {
  return new Answer(body, options.status, options.headers ?? {})
}
