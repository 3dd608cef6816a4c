/** The cluster answered, but with something that cannot be used; the message says with what, in words. */
export class BadAnswer extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'BadAnswer'
  }
}

const webPage =
  'it answered with a web page instead of Kubernetes objects, as a login or a proxy before it would'

/** Throws BadAnswer for an answer that says it is a web page, before anything of it is read. */
export function refuseWebPage(mediaType: string | undefined): void {
  if (mediaType !== undefined && /^text\/html\b/i.test(mediaType)) throw new BadAnswer(webPage)
}

/** Parses what a cluster answered. Throws BadAnswer for what is no JSON: most often the page of a proxy before it. */
export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    const isPage = /^\s*<(!doctype|html|head|body)/i.test(text.slice(0, 200))
    throw new BadAnswer(isPage ? webPage : 'its answer is no JSON', { cause })
  }
}

/** Throws BadAnswer that says how much at most is read. */
export function refuseTooLarge(maxBytes: number): never {
  throw new BadAnswer(`it answered with more than ${Math.floor(maxBytes / 1024 / 1024)} MB at once`)
}
