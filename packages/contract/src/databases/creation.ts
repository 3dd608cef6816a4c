import { z } from 'zod'
import { newBackupPolicy } from './backups.ts'
import { allowListBody } from './changes.ts'
import { clusterWish } from './cluster.ts'
import { clusterCreationProblems } from './cluster-creation.ts'
import { databaseConnection } from './connection.ts'
import { manageLimits } from './manage-rules.ts'
import { newParameterProblem } from './new-parameters.ts'
import { diskQuotaLimits } from './quota-rules.ts'
import { databaseLimits, databaseNameRule, databasePlanIds, isValidDatabaseName } from './rules.ts'
import { databaseProviders } from './statuses.ts'

const name = z.string().refine(isValidDatabaseName, databaseNameRule)
const description = z.string().trim().max(databaseLimits.description)

const newParameters = z
  .record(z.string().min(1).max(63), z.string().max(manageLimits.value))
  .superRefine((all, context) => {
    const issue = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    const names = Object.keys(all)
    if (names.length > manageLimits.changes) issue([], `Set up to ${manageLimits.changes} parameters.`)
    const before = new Set<string>()
    for (const name of names.slice(0, manageLimits.changes)) {
      const isTwice = before.has(name.toLowerCase())
      before.add(name.toLowerCase())
      const message = isTwice ? `${name} is there twice.` : newParameterProblem(name, all[name] ?? '')
      if (message !== undefined) issue([name], message)
    }
  })

/** Names of extensions that are installed together with a new database. */
export const newExtensions = z.array(z.string().min(1).max(63)).max(databaseLimits.newExtensions)

/** What a database is created with. */
export const createDatabase = z
  .strictObject({
    /**
     * `embedded`: Bey runs its server on its own machine. `external`: it exists already. `cnpg`: CloudNativePG runs it on
     * a connected cluster.
     */
    provider: z.enum(databaseProviders),
    name,
    description: description.default(''),
    /** Of an embedded one; `small` unless given. */
    plan: z.enum(databasePlanIds).optional(),
    /** Of an external one. */
    connection: databaseConnection.optional(),
    /** Of one on a cluster. */
    cluster: clusterWish.optional(),
    isProtected: z.boolean().default(false),
    /**
     * Of one that Bey makes: when it is backed up and proven. With a schedule, its first backup begins when the database is
     * ready. Without a policy, an embedded one is backed up on request, and one on a cluster has no place for backups. On a
     * cluster it has a target, whose access key is stored in a secret there.
     */
    backups: newBackupPolicy.optional(),
    /** Of an embedded one: networks from which it is reached; none: only from the machine of Bey. */
    allowList: allowListBody.optional(),
    /** Of an embedded one: parameters of PostgreSQL by name, beside those that follow from its plan. */
    parameters: newParameters.optional(),
    /** Extensions by name: of an embedded one of those that `databases.places` names; on a cluster of those that each image brings. */
    extensions: newExtensions.optional(),
    /** Of an embedded one: what it may take on disk, in bytes; by its plan unless given. */
    diskQuotaBytes: z.number().int().min(diskQuotaLimits.minBytes).max(diskQuotaLimits.maxBytes).optional(),
  })
  .superRefine((input, context) => {
    const { provider, plan, connection, cluster, backups, allowList } = input
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (provider === 'external' && backups !== undefined)
      issue('backups', 'Whoever runs its server backs it up.')
    if (provider === 'cnpg') {
      for (const problem of clusterCreationProblems(input)) context.addIssue({ code: 'custom', ...problem })
    }
    if (provider !== 'embedded' && allowList !== undefined)
      issue('allowList', 'Who reaches it is decided where it runs.')
    if (provider === 'external' && input.extensions !== undefined)
      issue('extensions', 'Bey installs them once it is connected.')
    if (provider === 'cnpg' && input.parameters !== undefined)
      issue('parameters', 'Set the parameters of one on a cluster in cluster.parameters.')
    if (provider === 'cnpg' && input.diskQuotaBytes !== undefined)
      issue('diskQuotaBytes', 'The size of its volumes bounds it: set cluster.storage.')
    for (const each of ['parameters', 'diskQuotaBytes'] as const)
      if (provider === 'external' && input[each] !== undefined)
        issue(each, 'Bey sets this in databases that it runs on its own machine.')
    if (provider === 'external' && connection === undefined) issue('connection', 'Enter how it is reached.')
    if (provider === 'external' && plan !== undefined) issue('plan', 'An external database has no plan.')
    if (provider === 'cnpg' && cluster === undefined) issue('cluster', 'Choose the cluster that it runs on.')
    if (provider !== 'cnpg' && cluster !== undefined) issue('cluster', 'It does not run on a cluster.')
    if (provider === 'cnpg' && plan !== undefined) issue('plan', 'A database on a cluster has no plan.')
    if (provider !== 'external' && connection !== undefined)
      issue('connection', 'Bey runs the server itself: leave the connection out.')
  })
