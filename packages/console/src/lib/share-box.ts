/** What a link carries: the text, and what it is called where it has a name. */
export type SharedText = { name?: string; value: string }

const algorithm = 'AES-GCM'
/** 96 bits, fresh for each box (NIST SP 800-38D). */
const nonceBytes = 12

/**
 * Encrypts a text under a new random key. The server keeps the ciphertext (base64) and never the key (base64url), which
 * becomes the fragment of the link: browsers do not send fragments.
 */
export async function sealShare(text: SharedText): Promise<{ ciphertext: string; key: string }> {
  const subtle = webCrypto()
  const key = await subtle.generateKey({ name: algorithm, length: 256 }, true, ['encrypt'])
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const plain = new TextEncoder().encode(JSON.stringify(text))
  const sealed = new Uint8Array(await subtle.encrypt({ name: algorithm, iv: nonce }, key, plain))
  const raw = new Uint8Array(await subtle.exportKey('raw', key))
  return { ciphertext: base64(nonce, sealed), key: toUrl(base64(raw)) }
}

/** Throws an Error with a sentence where the key does not belong to the ciphertext. */
export async function openShare(ciphertext: string, key: string): Promise<SharedText> {
  const subtle = webCrypto()
  try {
    const box = bytes(ciphertext)
    const opened = await subtle.decrypt(
      { name: algorithm, iv: box.subarray(0, nonceBytes) },
      await subtle.importKey('raw', bytes(fromUrl(key)), algorithm, false, ['decrypt']),
      box.subarray(nonceBytes),
    )
    // Written by sealShare, and authenticated by the box.
    return JSON.parse(new TextDecoder().decode(opened)) as SharedText
  } catch (cause) {
    throw new Error('The key in this link does not open what it names. Was the whole link copied?', { cause })
  }
}

/** Whether the fragment of a link can be a key: 256 bits in base64url. */
export function isShareKey(fragment: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(fragment)
}

/** Browsers encrypt on pages from HTTPS or localhost only. */
function webCrypto(): SubtleCrypto {
  if (globalThis.crypto?.subtle) return globalThis.crypto.subtle
  throw new Error('The browser encrypts only on pages from HTTPS or localhost. Open the console there.')
}

function base64(...parts: Uint8Array[]): string {
  let text = ''
  for (const part of parts) for (const byte of part) text += String.fromCharCode(byte)
  return btoa(text)
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

const toUrl = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
const fromUrl = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/')
