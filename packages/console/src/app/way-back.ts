/** Where to go after logging in: only paths of this console, for anything else would lead off it. */
export function wayBack(search: Record<string, unknown>): { from?: string } {
  const from = search['from']
  const isOwnPath = typeof from === 'string' && /^\/(?![/\\])/.test(from) && from.length <= 2000
  return isOwnPath && from !== '/' ? { from } : {}
}
