import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(pbkdf2)
const iterations = 4_096

/**
 * A password as PostgreSQL stores it (RFC 5802, SCRAM-SHA-256), so that the password itself is in no statement and in no log
 * of the server. Only for passwords of ASCII characters, which need no preparation.
 */
export async function scramVerifier(password: string, salt = randomBytes(16)): Promise<string> {
  const salted = await derive(password, salt, iterations, 32, 'sha256')
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  const server = keyOf('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`
}
