/** The path to open after login. Only paths of this console are accepted: others would be open redirects. */
export function parseReturnPath(search: Record<string, unknown>): { from?: string } {
  const from = search['from']
  const isOwnPath = typeof from === 'string' && /^\/(?![/\\])/.test(from) && from.length <= 2000
  return isOwnPath && from !== '/' ? { from } : {}
}
