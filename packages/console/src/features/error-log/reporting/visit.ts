const key = 'bey-visit'

/** A random id of this tab's visit, which is neither the token nor made from it. */
export const visitId = {
  read(): string {
    try {
      const known = sessionStorage.getItem(key)
      if (known !== null && /^[0-9a-f]{32}$/.test(known)) return known
      sessionStorage.setItem(key, fallback)
    } catch (error) {
      // Where storage is forbidden a visit lasts as long as the page.
      if (!(error instanceof DOMException)) throw error
    }
    return fallback
  },
  newKey: (): string => randomHex(),
}

const fallback = randomHex()

// `crypto.randomUUID` is missing from pages that came over plain http.
function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The build that this page runs, as its meta entries tell: `0.1.0+3f51afc2`. */
export function releaseOf(page: Document): string {
  const meta = (name: string) => page.querySelector(`meta[name="bey:${name}"]`)?.getAttribute('content')
  const version = meta('version')
  return version ? `${version}+${(meta('deploymentId') ?? '').slice(0, 8)}` : 'unknown'
}
