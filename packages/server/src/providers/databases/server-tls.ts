import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

import type { Certificate } from '../../platform/http/tls-listener.ts'
import type { ServerCertificate } from '../../platform/certificate/server-certificate.ts'
import type { Log } from '../../platform/log.ts'
import { type Owner, replaceFile } from './server-config.ts'

export type ServerTlsOptions = {
  /** Opens the certificate that all servers of databases of this machine present; called once it is needed. */
  open: () => Promise<Pick<ServerCertificate, 'current' | 'trusted' | 'onRenewed' | 'stop'>>
  /** The name by which clients on other machines reach this one; the certificate is for it. */
  host: string
}

const certificateFile = (clusterDir: string) => join(clusterDir, 'bey-server.crt')
const keyFile = (clusterDir: string) => join(clusterDir, 'bey-server.key')

/** Files of a server's directory that are not copied with it: a copy gets a certificate where it is started. */
export const isTlsFile = (name: string) => /^bey-server\.(?:crt|key)(?:\.part)?$/.test(name)

/** A server that reads its certificate again when it is told to. */
type Follower = { clusterDir: string; owner: Owner; pid: number; gone: Promise<unknown> }

/** How the servers of databases are reached encrypted. */
export function createServerTls({ open, host }: ServerTlsOptions, log: Log) {
  const followers = new Set<Follower>()
  let opened: ReturnType<typeof open> | undefined

  async function certificate(): ReturnType<typeof open> {
    const mine = (opened ??= openAndFollow())
    try {
      return await mine
    } catch (error) {
      // The database of Bey may be away for a moment: the next server asks again.
      if (opened === mine) opened = undefined
      throw error
    }
  }

  async function openAndFollow() {
    const source = await open()
    source.onRenewed((next) => void renewAll(next))
    return source
  }

  async function renewAll(next: Certificate): Promise<void> {
    await Promise.all(
      [...followers].map(async ({ clusterDir, owner, pid }) => {
        try {
          await write(clusterDir, next, owner)
          process.kill(pid, 'SIGHUP')
        } catch (error) {
          log.error(
            { err: error, clusterDir },
            'A database keeps its certificate of before until its next start',
          )
        }
      }),
    )
  }

  return {
    /** Writes the certificate of a server that is about to start, and says with which settings it presents it. */
    async prepare(clusterDir: string, owner: Owner): Promise<Record<string, string>> {
      try {
        await write(clusterDir, (await certificate()).current(), owner)
      } catch (error) {
        // It starts with the certificate of before: clients find it expired at worst.
        if (!existsSync(keyFile(clusterDir)) || !existsSync(certificateFile(clusterDir))) throw error
        log.warn({ err: error }, 'The certificate of a database was not written; the one of before is used')
      }
      return {
        ssl: 'on',
        ssl_cert_file: certificateFile(clusterDir),
        ssl_key_file: keyFile(clusterDir),
        ssl_min_protocol_version: 'TLSv1.2',
      }
    },
    /** Gives a running server each new certificate until it is gone; connections that are open go on. */
    follow(server: Follower): void {
      followers.add(server)
      void server.gone.finally(() => followers.delete(server)).catch(() => undefined)
    },
    /** What clients on other machines connect to and trust. */
    access: async () => ({ host, authorities: (await certificate()).trusted() }),
    stop: () => void opened?.then((source) => source.stop()).catch(() => undefined),
  }
}

/** The key first: a server that is told to read both meanwhile keeps those that it has. */
async function write(clusterDir: string, { key, cert, ca }: Certificate, owner: Owner): Promise<void> {
  await replaceFile(keyFile(clusterDir), key, owner)
  await replaceFile(certificateFile(clusterDir), `${cert.trimEnd()}\n${ca}`, owner)
}

/** The name by which clients on other machines reach this one: that of the public URL, or the machine's own. */
export function clientHost(publicUrl: string | undefined): string {
  const host = publicUrl && new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  const isOwn = host === undefined || host === '' || /^(?:localhost|127\..*|::1)$/.test(host)
  return isOwn ? hostname() : host
}
