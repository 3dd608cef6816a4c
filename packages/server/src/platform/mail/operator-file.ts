import { open } from 'node:fs/promises'
import { join } from 'node:path'

/** In the data directory; read by the person who runs an instance without SMTP. */
export const operatorFileName = 'mail-outbox.txt'

type Letter = { recipient: string; subject: string; text: string; createdAt: Date }

/** Appends a mail to the operator's file, which only the user of the server may read (mode 0600). */
export async function fileForOperator(dataDir: string, { recipient, subject, text, createdAt }: Letter) {
  const file = await open(join(dataDir, operatorFileName), 'a', 0o600)
  try {
    // A file that was there before keeps the mode it has.
    await file.chmod(0o600)
    await file.write(
      `${createdAt.toISOString()}\nTo: ${recipient}\nSubject: ${subject}\n\n${text.trimEnd()}\n\n`,
    )
    await file.sync()
  } finally {
    await file.close()
  }
}
