import type { ClusterReply } from '../../../kubernetes/connection/cluster-call.ts'
import { type Ask, jsonOf } from './ask-cluster.ts'
import type { Checks } from './checks.ts'
import { problemOf } from './problems.ts'

/** The version that an API server says, or `''` from one that keeps it to itself. */
export async function readVersion(ask: Ask, checks: Checks, server: string): Promise<string | undefined> {
  return checks.run('kubernetes', async () => {
    const reply = await ask.get('/version')
    const { status } = reply
    const body = jsonOf(reply)
    if (status === 200 && typeof body?.['gitVersion'] === 'string') {
      const version = body['gitVersion'].slice(0, 63)
      return { value: version, detail: version }
    }
    // An API server answers its refusals as Status objects; the check that follows says what is refused.
    if (body?.['kind'] === 'Status' && (status === 401 || status === 403))
      return { value: '', detail: 'version not reported' }
    return checks.fail(strangerProblem(reply, server))
  })
}

function strangerProblem(reply: ClusterReply, server: string) {
  if (reply.status >= 300 && reply.status < 400) return problemOf.redirect(server)
  const isWebPage = /html/i.test(reply.mediaType) || /^\s*<(!doctype|html)/i.test(reply.text)
  return isWebPage ? problemOf.web(server) : problemOf.notKubernetes(server, reply.status)
}
