import { createPrivateKey } from 'node:crypto'

type KeyPair = { privateKey: string; publicKey: string | undefined }
type Problem = { field: keyof KeyPair; message: string }

const noPrivateKey =
  'This is no private key of SSH. It begins with -----BEGIN OPENSSH PRIVATE KEY-----, or is one in PEM, and is pasted with all of its lines.'

/** What is wrong with a key pair, or undefined; quotes nothing of it. An encrypted key is taken as it is. */
export function sshKeyProblem({ privateKey, publicKey }: KeyPair): Problem | undefined {
  const own = publicBlobOf(privateKey)
  if (own === undefined) return { field: 'privateKey', message: noPrivateKey }
  if (publicKey === undefined) return undefined
  const given = readPublicKey(publicKey)
  if (given === undefined) {
    const message = 'This is no public key of SSH: one line such as "ssh-ed25519 AAAA… name".'
    return { field: 'publicKey', message }
  }
  if (own === 'unknown' || own.equals(given)) return undefined
  return { field: 'publicKey', message: 'This public key does not belong to the private key.' }
}

/** The public key within a private one; `unknown` where its format does not show it, undefined where it is no key. */
function publicBlobOf(text: string): Buffer | 'unknown' | undefined {
  const [, label = '', body = ''] =
    /^-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----\r?\n([^-]+)-----END \1-----\s*$/.exec(text.trimStart()) ?? []
  if (label === 'OPENSSH PRIVATE KEY') return readOpenSsh(Buffer.from(body, 'base64'))
  if (label === '') return undefined
  if (label.startsWith('ENCRYPTED') || /^Proc-Type: 4,ENCRYPTED/m.test(body)) return 'unknown'
  try {
    createPrivateKey(text)
    return 'unknown'
  } catch {
    // Without its cause, which may quote the text.
    return undefined
  }
}

const magic = Buffer.from('openssh-key-v1\0')

/** OpenSSH, PROTOCOL.key: cipher, key derivation and its options, one public key, and the private part. */
function readOpenSsh(bytes: Buffer): Buffer | undefined {
  if (!bytes.subarray(0, magic.length).equals(magic)) return undefined
  const reader = createReader(bytes.subarray(magic.length))
  const cipher = reader.text()?.toString()
  reader.text()
  reader.text()
  const count = reader.number()
  const publicKey = reader.text()
  const secret = reader.text()
  if (count !== 1 || publicKey === undefined || secret === undefined || !reader.isAtEnd()) return undefined
  if (cipher !== 'none') return publicKey
  // Two equal numbers say that the private part is whole; the type of the key follows.
  const inner = createReader(secret)
  const [first, second, type] = [inner.number(), inner.number(), inner.text()]
  const isWhole = first !== undefined && first === second && type !== undefined
  return isWhole && createReader(publicKey).text()?.equals(type) === true ? publicKey : undefined
}

function readPublicKey(line: string): Buffer | undefined {
  const [, type = '', encoded = ''] =
    /^([a-z0-9@.-]+) ([A-Za-z0-9+/]+={0,2})(?: [^\n]*)?\s*$/.exec(line.trim()) ?? []
  const blob = Buffer.from(encoded, 'base64')
  return type !== '' && createReader(blob).text()?.toString() === type ? blob : undefined
}

/** Reads numbers of 4 bytes and texts that begin with their length (RFC 4251 section 5); undefined past the end. */
function createReader(bytes: Buffer) {
  let at = 0
  function number(): number | undefined {
    if (at + 4 > bytes.length) return undefined
    at += 4
    return bytes.readUInt32BE(at - 4)
  }
  return {
    number,
    text(): Buffer | undefined {
      const length = number()
      if (length === undefined || at + length > bytes.length) return undefined
      at += length
      return bytes.subarray(at - length, at)
    },
    isAtEnd: () => at === bytes.length,
  }
}
