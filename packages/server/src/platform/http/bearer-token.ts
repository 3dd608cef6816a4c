/** Tokens that clusters issue themselves are about 1,000 characters long. */
const maxTokenLength = 4096

/** The token of an Authorization header (RFC 6750), or undefined if there is none that could be ours. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length > maxTokenLength) return undefined
  return /^bearer +([\w~+/.=-]+)$/i.exec(header)?.[1]
}
