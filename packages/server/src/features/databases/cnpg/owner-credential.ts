import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import { type ClusterObject, messageOf, ownerSecret } from './cluster-object.ts'

/** The owner of the database of a Cluster, as the operator's secret says. */
export type Owner = { username: string; password: string; databaseName: string }

type Read = (path: string) => Promise<{ status: number; body: unknown }>

/** Reads the secret of the owner. Throws ConnectionProblem where it is missing, forbidden or not of that kind. */
export async function readOwner(read: Read, object: ClusterObject): Promise<Owner> {
  const { secret, database } = ownerSecret(object)
  const namespace = object.metadata?.namespace ?? ''
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(secret)}`
  const answer = await read(path)
  const place = `the secret "${secret}" of the namespace "${namespace}"`
  if (answer.status === 404) {
    throw new ConnectionProblem(
      `There is no ${place.slice(4)}, which keeps the password of the owner. Connect to the database by its address instead.`,
    )
  }
  if (answer.status !== 200) {
    throw new ConnectionProblem(`The cluster does not let you read ${place}: ${messageOf(answer)}.`)
  }
  const { data = {} } = answer.body as { data?: Record<string, string> }
  const text = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString('utf8')
  const [username, password] = [text('username'), text('password')]
  if (username === '' || password === '') {
    throw new ConnectionProblem(`There is no username or no password in ${place}.`)
  }
  return { username, password, databaseName: text('dbname') || (database ?? 'app') }
}
