import { isIP } from 'node:net'

/** What passkeys are bound to (WebAuthn's RP ID), and the addresses from which they are accepted. */
export type RelyingParty = { id: string; origins: string[] }

/**
 * The relying party of an address: of the public one where it has a name, else of the one that the browser used. Answers
 * the reason, as a sentence, where passkeys cannot be used there.
 */
export function relyingPartyOf(
  hostHeader: string,
  publicUrl: string | undefined,
): RelyingParty | { refusal: string } {
  const own = urlOf(`http://${hostHeader}`)
  const published = publicUrl === undefined ? undefined : urlOf(publicUrl)
  if (published !== undefined && hasName(published)) {
    if (own?.hostname !== published.hostname) {
      return { refusal: `Passkeys work at ${published.origin} only. Open the console there.` }
    }
    if (published.protocol !== 'https:' && published.hostname !== 'localhost') return needsHttps
    return { id: published.hostname, origins: [published.origin, ...(own ? originsOf(own) : [])] }
  }
  if (own === undefined || !hasName(own)) {
    return {
      refusal:
        'Passkeys need a host name. Open the console by a name, such as localhost, instead of an IP address.',
    }
  }
  return { id: own.hostname, origins: originsOf(own) }
}

/** The host name of the public address, to which passkeys are then bound; undefined where it has none. */
export function publicSiteOf(publicUrl: string | undefined): string | undefined {
  const published = publicUrl === undefined ? undefined : urlOf(publicUrl)
  return published !== undefined && hasName(published) ? published.hostname : undefined
}

const needsHttps = { refusal: 'Passkeys need HTTPS. Ask the operator to serve the console over HTTPS.' }

// Behind a proxy that ends TLS the server does not see which of the two the browser used. Browsers allow passkeys in
// secure contexts alone.
function originsOf({ host }: URL): string[] {
  return [`http://${host}`, `https://${host}`]
}

function hasName({ hostname }: URL): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}
