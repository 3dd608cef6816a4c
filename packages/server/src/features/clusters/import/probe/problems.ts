import type { ConnectionCheck, ConnectionProblem } from '@bey/contract'

import { OutboundRefused } from '../../../../platform/outbound/outbound.ts'
import { ProxyRefused, ProxyUnreachable } from '../../../../platform/outbound/tunnel.ts'

type Problem = ConnectionProblem & { detailInList?: string }

const problem = (title: string, detail: string, detailInList: string, ...commands: string[]): Problem => ({
  title,
  detail,
  detailInList,
  commands,
})

/** Every way in which a connection fails, in words: what happened, and what to do. None repeats credentials. */
export const problemOf = {
  address: (what: string) =>
    problem(
      'Bey does not connect to this address.',
      `${what.charAt(0).toUpperCase()}${what.slice(1)} Nothing was sent to it. Use another address of the API server, or ask the operator of this server.`,
      'not allowed',
    ),

  web: (server: string) =>
    problem(
      'A web page answers there, not Kubernetes.',
      `${server} answered with HTML. It may be a login page, a load balancer or a dashboard: use the address of the API server, with its path where it has one.`,
      'answered with a web page',
    ),

  notKubernetes: (server: string, status: number) =>
    problem(
      'There is no Kubernetes API at this address.',
      `${server} answered with status ${status}, but not as an API server does. Check the port and the path of the server.`,
      'not a Kubernetes API',
    ),

  redirect: (server: string) =>
    problem(
      'The server leads somewhere else.',
      `${server} answered with a redirect, which Bey does not follow, since credentials would go along. Use the address of the API server itself.`,
      'redirects',
    ),

  unauthorized: (isToken: boolean) =>
    problem(
      'The cluster does not accept these credentials.',
      `It answered 401. ${isToken ? 'The token may have expired or been revoked, or it belongs to another cluster.' : 'The client certificate may have expired, or another authority signed it.'} Make a new kubeconfig and replace this one.`,
      'refused with 401',
    ),

  anonymous: () =>
    problem(
      'The cluster does not know who Bey is.',
      'It took the request as anonymous: the client certificate was signed by another authority than the one that this cluster trusts.',
      'anonymous',
    ),

  mayNotActAs: (user: string) =>
    problem(
      'These credentials may not act as the user that the kubeconfig names.',
      `The kubeconfig says as: ${user}, and the cluster answered 403. Grant the verb impersonate, or leave as out.`,
      'may not impersonate',
    ),

  forbidden: (what: string) =>
    problem(
      'The cluster forbids everything to this identity.',
      `It answered 403 to ${what}. Bind the identity to a role, for example view: kubectl create clusterrolebinding.`,
      'refused with 403',
    ),

  /** What was thrown while `server` was being asked. */
  error(error: unknown, key: ConnectionCheck, server: string): Problem {
    if (error instanceof OutboundRefused) return this.address(`${error.message}.`)
    if (error instanceof ProxyRefused) return proxyProblem(error.status)
    if (error instanceof ProxyUnreachable) {
      const cause = this.error(error.cause, key, 'The proxy')
      return { ...cause, title: `The proxy does not answer. ${cause.title}` }
    }
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    switch (code) {
      case 'ENOTFOUND':
        return problem(
          'The name of the server does not exist.',
          `No name server that this machine asks knows ${server}. It may be known only inside another network: use an address that this machine can reach, or a proxy-url.`,
          'unknown name',
        )
      case 'EAI_AGAIN':
        return problem(
          'The name of the server cannot be looked up at the moment.',
          'The name servers of this machine do not answer. Try again; if it stays, its operator can look at the network.',
          'no name server',
        )
      case 'ECONNREFUSED':
        return problem(
          'The connection was refused.',
          `Something answers at ${server}, but no program listens on this port. Check the port, and whether the API server runs.`,
          'refused',
        )
      case 'EHOSTUNREACH':
      case 'ENETUNREACH':
        return problem(
          'There is no way to its network.',
          `This machine cannot route to ${server}. It may need a VPN, or a proxy-url in the kubeconfig.`,
          'no route',
        )
      case 'ETIMEDOUT':
      case 'ABORT_ERR':
        return problem(
          'The server did not answer in time.',
          `${server} said nothing for several seconds. A firewall may drop the packets, or the server is overloaded.`,
          'time-out',
        )
      case 'ECONNRESET':
      case 'EPIPE':
        return problem(
          'The server closed the connection.',
          key === 'certificate'
            ? `${server} took the connection and ended it before a certificate came. It may not speak TLS on this port.`
            : `${server} ended the connection in the middle. Try again.`,
          'connection lost',
        )
      default:
        return /^(EPROTO|ERR_SSL|ERR_TLS|HPE_)/.test(code)
          ? problem(
              'The server does not speak TLS there.',
              `${server} answered something that is no TLS. It may be plain HTTP, or another service: check the port.`,
              'no TLS',
            )
          : problem(
              'The connection failed.',
              `${server} could not be reached, for a reason that is not known${code ? ` (${code})` : ''}.`,
              'failed',
            )
    }
  },
}

function proxyProblem(status: number): Problem {
  if (status === 407)
    return problem(
      'The proxy asks for a password.',
      'It answered 407. Put user and password into proxy-url, such as http://user:password@proxy:3128.',
      'proxy refused with 407',
    )
  if (status === 403 || status === 405)
    return problem(
      'The proxy refuses to connect there.',
      `It answered ${status} to CONNECT. Its operator must allow this host and port.`,
      `proxy refused with ${status}`,
    )
  return problem(
    'The proxy could not reach the server.',
    `It answered ${status} to CONNECT: the server may be down, or unknown in the proxy’s network.`,
    `proxy answered ${status}`,
  )
}
