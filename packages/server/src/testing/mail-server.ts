import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = { from: string; to: string[]; source: string }

export type MailServer = {
  settings: { url: string; from: string }
  /** In the order of their arrival. `source` is the message as it came, quoted-printable parts included. */
  mails: ReceivedMail[]
  /** From now on mails to this address are refused for good. */
  refuse: (address: string) => void
  stop: () => Promise<void>
}

/** A real SMTP server on a port of its own, without TLS and accounts. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const refused = new Set<string>()
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      if (!refused.has(address)) return done()
      done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        mails.push({ from, to, source: Buffer.concat(chunks).toString('utf8') })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  let stopped: Promise<void> | undefined
  return {
    settings: { url: `smtp://127.0.0.1:${port}`, from: 'Bey <bey@example.com>' },
    mails,
    refuse: (address) => refused.add(address),
    stop: () => (stopped ??= new Promise((resolve) => server.close(() => resolve()))),
  }
}
