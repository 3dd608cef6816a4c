import type { Closing } from './closing.ts'
import type { Config } from './config.ts'
import { localAddress } from './local-address.ts'
import { startAuditLinker } from './platform/audit/linker.ts'
import { loadSigningKey } from './platform/audit/signing-key.ts'
import type { Clock } from './platform/clock.ts'
import { checkRootKey, loadRootKey } from './platform/crypto/root-key.ts'
import { rotateRootKey } from './platform/crypto/rotate-root-key.ts'
import { openServerSeal } from './platform/crypto/server-seal.ts'
import { openDatabase } from './platform/db/database.ts'
import { requireFreePort } from './platform/http/listen.ts'
import type { Log } from './platform/log.ts'
import { openPeers, type Peers } from './platform/peers/peers.ts'
import { claimDataDirectory } from './platform/process.ts'

type StorageOptions = {
  config: Config
  clock: Clock
  log: Log
  closing: Closing
  /** Default true, see `AppOptions`. */
  isDurable: boolean | undefined
  connectWithinMs: number | undefined
}

/**
 * Claims the data directory, loads the root key, and opens the database with what it seals. What is opened is closed by
 * `closing`. Throws ConfigError where a port is taken or a key does not fit.
 */
export async function openStorage({
  config,
  clock,
  log,
  closing,
  isDurable,
  connectWithinMs,
}: StorageOptions) {
  const dataDirectory = await claimDataDirectory(config.dataDir, localAddress(config, config.port))
  closing.add('data directory', () => dataDirectory.release())
  await requireFreePort('PORT', config.host, config.port)
  if (config.role !== 'worker') await requireFreePort('BEY_TLS_PORT', config.host, config.tlsPort)
  const rootKey = await loadRootKey(config, log, config.secretKeyPrevious)
  const database = await openDatabase(
    { url: config.databaseUrl, dataDir: config.dataDir, isDurable, connectWithinMs },
    log,
  )
  closing.add('database', () => database.close())
  closing.add('audit trail', startAuditLinker({ database, clock, log }))
  const movedKeys = await rotateRootKey(database, rootKey)
  await checkRootKey(database, rootKey)
  const { fingerprint, previous } = rootKey
  log.info({ fingerprint, previous: previous?.fingerprint, movedKeys }, 'The root key is known')
  const signingKey = await loadSigningKey(database, rootKey)
  const serverSeal = await openServerSeal(database, rootKey)
  return { dataDirectory, rootKey, database, signingKey, serverSeal }
}

type PeerOptions = Pick<StorageOptions, 'config' | 'clock' | 'log' | 'closing'> &
  Pick<Awaited<ReturnType<typeof openStorage>>, 'database' | 'rootKey'>

/** Opens the connections to the other processes of this installation; undefined where `BEY_PEER_ADDRESS` does not say how. */
export async function joinPeers({ config, closing, ...parts }: PeerOptions): Promise<Peers | undefined> {
  const { peerAddress: address } = config
  if (address === undefined) return undefined
  const peers = await openPeers({ ...parts, address })
  closing.add('peers', () => peers.stop())
  return peers
}
