import type { DatabaseEngine, DatabasePlan, DatabaseTlsMode, EngineFamily } from '@bey/contract'
import type { Duplex, Readable } from 'node:stream'
import type { Client, ClientConfig } from 'pg'

import type { DatabaseCounters, MeasuredDatabase } from '../../tables/databases.ts'
import type { StatementsProblem } from '../../tables/database-statements.ts'
import type { CountedStatement } from './insight/statement-deltas.ts'
import type { DatabaseFiles } from './backups/database-files.ts'
import type { DatabaseClusters } from './cnpg/clusters.ts'
import type { StepContext } from '../workflows/definition/definition.ts'

/** Where Bey runs the server of a database. `machineId` names the data directory of the Bey that keeps it. */
export type DatabasePlacement = { machineId: string; dir: string; port: number }

/** What a provider is given of the database that it works on. */
export type ProviderDatabase = {
  id: string
  name: string
  /** As the server knows it, and its owner. */
  databaseName: string
  username: string
  plan: DatabasePlan
  /** Networks from which it is reached beside the machine itself. */
  allowList?: readonly { cidr: string }[]
}

/** How an external server is reached. */
export type ExternalTarget = {
  engine: DatabaseEngine
  host: string
  port: number
  databaseName: string
  username: string
  tls: DatabaseTlsMode
  caPem: string | null
  /** Null where the server asks for none. */
  password: string | null
}

/** The part of a step that a provider may use. Lines are read by people. */
type DatabaseStep = Pick<StepContext, 'log' | 'signal'>

/** What the machine gives to databases, and what is taken. */
type DatabaseCapacity = {
  machineBytes: number
  budgetBytes: number
  usedBytes: number
  freeDiskBytes: number
}

/** A server that answers. `startedBecause` is a sentence about why it had to be started; absent when it was running. */
export type RunningServer = { pid: number; startedBecause?: string }

/**
 * Servers that Bey runs itself. Each operation looks at what is there before it acts, for it is called again after a
 * crash; it throws `StepFailure` with the cause in words for what people can mend.
 */
export type DatabaseServers = {
  /** The version of PostgreSQL that is run. */
  version(): Promise<string>
  /** Extensions that its binaries bring, by name. */
  extensions(): Promise<readonly { name: string; about: string }[]>
  /**
   * The name by which other machines reach a server that admits them, and the certificates in PEM that prove it to them; null
   * where servers speak no TLS.
   */
  clientAccess(): Promise<{ host: string; authorities: string } | null>
  capacity(): Promise<DatabaseCapacity>
  /** Why no server that takes so much memory fits, with the way out. */
  refusalOf(memoryBytes: number): Promise<string | undefined>
  /** Chooses where the server will run and makes nothing: the choice is recorded before anything is made there. */
  choosePlacement(id: string, before: DatabasePlacement | null): Promise<DatabasePlacement>
  /** Takes the memory out of the budget and makes the directory. */
  reserve(database: ProviderDatabase, placement: DatabasePlacement, step: DatabaseStep): Promise<void>
  /** Makes the files of an empty server unless they exist. */
  initialize(placement: DatabasePlacement, step: DatabaseStep): Promise<void>
  start(database: ProviderDatabase, placement: DatabasePlacement): Promise<RunningServer>
  /** Makes owner and database unless they exist, and gives the owner this password. */
  setUp(database: ProviderDatabase, placement: DatabasePlacement, password: string): Promise<void>
  /** Ends the server by SIGKILL, for practice, and says so; it is started again as one that ended by itself. */
  kill(id: string, placement: DatabasePlacement): Promise<string>
  /** Stops the server and says how. */
  stop(id: string, placement: DatabasePlacement): Promise<string>
  /** Gives the memory of a stopped server back to the budget. */
  release(placement: DatabasePlacement): Promise<void>
  /** Removes the files of a stopped server and says what was removed. */
  remove(placement: DatabasePlacement): Promise<string>
  /** Adopts the server of a database that should run, or starts it again; nothing where `shouldRun` answers false. */
  keepRunning(
    database: ProviderDatabase,
    placement: DatabasePlacement,
    shouldRun: () => Promise<boolean>,
  ): Promise<RunningServer | undefined>
  /** How Bey itself connects, with all rights. */
  connection(placement: DatabasePlacement, databaseName: string): Promise<ClientConfig>
  /** Writes who may connect from where; a running server heeds it once it reads its configuration again. */
  writeAllowList(database: ProviderDatabase, placement: DatabasePlacement): Promise<void>
  /** The file that says who may connect, as it would be written and as it is; `found` null where it is gone. */
  compareAllowList(
    database: ProviderDatabase,
    placement: DatabasePlacement,
  ): Promise<{ written: string; found: string | null }>
  /** Identifies the present contents of that file: it changes with every write, by Bey or by hand. */
  allowListStamp(placement: DatabasePlacement): Promise<string>
  /** What `alter system` set, kept under a name while it is changed, so that it can be put back without the server. */
  parameters: {
    keep(placement: DatabasePlacement, key: string): Promise<void>
    /** False where none were kept under this name. */
    putBack(placement: DatabasePlacement, key: string): Promise<boolean>
    forget(placement: DatabasePlacement, key: string): Promise<void>
  }
  /** What is copied of servers, and made of copies. */
  files: DatabaseFiles
  /** Whether this process can run a server at that placement. */
  isHere(placement: DatabasePlacement): boolean
  /** Calls back with the cause when a server that this process looks after has ended by itself. */
  onExit(callback: (id: string, reason: string) => void): void
  /** Stops the servers that this process looks after; their data stay. */
  stopAll(): Promise<void>
}

/** Servers that somebody else runs. */
export type ExternalServers = {
  /**
   * Opens a connection to a server. Throws ConnectionProblem with a sentence that says what is wrong and what helps.
   */
  connect(target: ExternalTarget, applicationName: string): Promise<OpenConnection>
}

export type OpenConnection = {
  /** For what needs more than a question: a cursor, notices. It ends with the connection. */
  client: Client
  query<R extends object>(text: string, values?: readonly unknown[]): Promise<{ rows: R[] }>
  isEncrypted: boolean
  end(): Promise<void>
}

/** How a Cluster of CloudNativePG is reached. */
export type CnpgTarget = {
  /** Of the Cluster. */
  name: string
  /** The pod that was the primary when it was last looked at; null where that is not known. */
  primary: string | null
  /** The pod that is the primary now, as the cluster says. */
  readPrimary(): Promise<string>
  /** Connects to a port of a pod. */
  openPort(pod: string, port: number): Promise<Duplex>
  databaseName: string
  username: string
  password: string | null
}

/** Servers that the operator CloudNativePG runs on connected clusters. */
export type CnpgServers = {
  clusters: DatabaseClusters
  /**
   * Opens a connection to the primary through the API of its cluster. Throws ConnectionProblem with a sentence that
   * says what is wrong and what helps.
   */
  connect(target: CnpgTarget, applicationName: string): Promise<OpenConnection>
}

/** What a server that is no PostgreSQL says of itself. Counters count since it started; rates are made of them. */
export type WatchedReading = {
  engine: DatabaseEngine
  version: string
  /** What is special there, a sentence each. */
  notes: string[]
  figures: Pick<
    MeasuredDatabase,
    | 'sizeBytes'
    | 'sizeLimitBytes'
    | 'maxConnections'
    | 'connections'
    | 'active'
    | 'idle'
    | 'idleInTransaction'
    | 'waiting'
    | 'startedAt'
    | 'longestQueryMs'
    | 'longestLockWaitMs'
    | 'longestIdleInTransactionMs'
    | 'slowest'
  >
  counters: DatabaseCounters
  /** How many statements or commands it took to read this. */
  ownStatements: number
}

/** What statements did since the server counts them. */
export type ReadStatements = {
  statements: (CountedStatement & { text: string; isCut: boolean; users: string[] })[]
  /** When the server last forgot its statistics; null where it does not say. */
  since: Date | null
}

/** A connection to a server that is no PostgreSQL: it is watched, and nothing in it is changed. */
export type WatchedConnection = {
  isEncrypted: boolean
  read(at: Date): Promise<WatchedReading>
  /** Texts are without the values in them. */
  countStatements(at: Date): Promise<ReadStatements | { problem: StatementsProblem }>
  end(): Promise<void>
}

/** Servers of other engines that somebody else runs. `connect` throws as that of `ExternalServers` does. */
export type WatchedServers = {
  connect(target: ExternalTarget, applicationName: string): Promise<WatchedConnection>
}

/** A program `pg_dump` of this machine, and its version, such as `18.4`. */
export type DumpProgram = { file: string; version: string }

/** What is dumped. `isOwn`: a server of this machine, for which no address has to be checked. */
export type DumpTarget = Omit<ExternalTarget, 'engine'> & { isOwn: boolean }

/** Logical dumps by programs of this machine. */
export type DatabaseDumps = {
  /** In the order in which they are preferred. */
  programs(): Promise<DumpProgram[]>
  /**
   * The output of a program, as a stream that fails with a ConnectionProblem where the program does, and that ends the
   * program when it is destroyed. The password never gets onto the command line.
   */
  dump(program: DumpProgram, target: DumpTarget, args: readonly string[]): Promise<Readable>
}

export type DatabaseProviders = {
  dumps: DatabaseDumps
  embedded: DatabaseServers
  external: ExternalServers
  watched: Record<Exclude<EngineFamily, 'postgres'>, WatchedServers>
  cnpg: CnpgServers
}
