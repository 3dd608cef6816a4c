import type { MailSettings } from './settings.ts'

const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  dnsTimeout: 10_000,
}

type Letter = { id: string; recipient: string; subject: string; text: string }

/** Sends one mail over a connection of its own. Throws what nodemailer throws; `isRefusedForGood` reads it. */
export async function sendMail(
  settings: MailSettings,
  { id, recipient, subject, text }: Letter,
): Promise<void> {
  // Loaded with the first mail: most starts send none.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: settings.url,
    ...timeouts,
    // Only texts are sent: no part of a mail may name a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      messageId: `<${id}@bey>`,
      from: settings.from,
      // As an object: a comma within an address must not make it two.
      to: { name: '', address: recipient },
      subject,
      text,
      headers: { 'auto-submitted': 'auto-generated' },
    })
  } finally {
    transport.close()
  }
}

/** Whether the mail server refused the recipient or the message itself, which no further attempt changes. */
export function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, responseCode = 0 } = error as Error & { code?: string; responseCode?: number }
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500
}
