import { createPrivateKey, X509Certificate } from 'node:crypto'

import { credentialProblems } from './credential-problems.ts'
import type { ContextConnection, ContextProblem, CredentialKind, KubeconfigEntry } from './kubeconfig.ts'
import type { KubeconfigCluster, KubeconfigContext, KubeconfigUser } from './kubeconfig-shape.ts'

/** What a context says of how to reach its cluster, with everything that is in the way. */
export function connectionOf(
  name: string,
  context: KubeconfigContext | undefined,
  cluster: KubeconfigCluster | undefined,
  user: KubeconfigUser | undefined,
): KubeconfigEntry {
  const problems: ContextProblem[] = []
  const problem = (title: string, detail: string, ...commands: string[]) =>
    void problems.push({ title, detail, commands })
  const flatten = `kubectl config view --raw --flatten --minify --context ${shellWord(name)}`

  const server = cluster?.server ?? ''
  if (context?.cluster === undefined || cluster === undefined)
    problem(
      'Its cluster is not in the file',
      'The context names a cluster that the kubeconfig does not describe.',
      flatten,
    )
  else if (server === '') problem('It has no server', 'The cluster has no server address.', flatten)
  else for (const each of serverProblems(server)) problem(...each)
  if (context?.user !== undefined && context.user !== '' && user === undefined)
    problem(
      'Its user is not in the file',
      'The context names a user that the kubeconfig does not describe.',
      flatten,
    )
  if (cluster?.['certificate-authority'] !== undefined && cluster['certificate-authority-data'] === undefined)
    problem(
      'It names a file of certificates',
      'certificate-authority is a path on your machine, which this server cannot read. Embed the file.',
      flatten,
    )
  problems.push(...credentialProblems(user, flatten))

  const caPem = decode(cluster?.['certificate-authority-data'])
  if (caPem === null || (caPem !== undefined && !isCertificate(caPem)))
    problem(
      'Its CA bundle cannot be read',
      'certificate-authority-data is not a PEM certificate in base64.',
      flatten,
    )
  const clientCertificate = certificateOf(user)
  if (clientCertificate === null)
    problem(
      'Its client certificate cannot be read',
      'client-certificate-data and client-key-data must be a PEM certificate and the key that belongs to it, in base64.',
      flatten,
    )
  const credential = credentialOf(user)
  if (credential === 'none' && problems.length === 0)
    problem(
      'It has no credentials',
      'The user of this context has neither a token nor a client certificate.',
      flatten,
    )
  if (![user?.token?.trim(), user?.as, ...(user?.['as-groups'] ?? [])].every(isHeaderText))
    problem(
      'Its credentials cannot be sent',
      'A token, as or as-groups holds characters that no HTTP header can carry.',
    )
  const serverName = cluster?.['tls-server-name']
  if (serverName !== undefined && !/^[\w.:-]{1,253}$/.test(serverName))
    problem('Its tls-server-name is no name', 'tls-server-name must be a host name, such as api.example.com.')
  const proxyUrl = cluster?.['proxy-url']
  if (proxyUrl !== undefined && !isUsableProxy(proxyUrl))
    problem(
      'Its proxy cannot be used',
      'proxy-url must be an http or https address. SOCKS proxies are not supported.',
    )

  const entry = {
    context: name,
    clusterName: context?.cluster ?? '',
    userName: context?.user ?? '',
    namespace: context?.namespace || undefined,
    server: shownServer(server),
    credential,
  }
  if (problems.length > 0 || cluster === undefined) return { ...entry, connection: undefined, problems }
  const connection: ContextConnection = {
    url: server.replace(/\/+$/, ''),
    caPem: caPem ?? '',
    token: user?.token?.trim() ?? '',
    ...(clientCertificate && { clientCertificate }),
    ...(cluster['insecure-skip-tls-verify'] && { skipsTlsVerify: true as const }),
    ...(serverName && { tlsServerName: serverName }),
    ...(proxyUrl !== undefined && { proxyUrl }),
    ...(user?.as && { actsAs: actsAsOf(user, user.as) }),
  }
  return { ...entry, connection, problems }
}

function actsAsOf(user: KubeconfigUser, name: string): NonNullable<ContextConnection['actsAs']> {
  const uid = user['as-uid']
  const extra = user['as-user-extra']
  return {
    user: name,
    groups: user['as-groups'] ?? [],
    ...(uid !== undefined && { uid }),
    ...(extra !== undefined && { extra }),
  }
}

function serverProblems(server: string): [string, string][] {
  const url = URL.canParse(server) ? new URL(server) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return [
      [
        'Its server is not an address',
        'server must be an https address, such as https://api.example.com:6443.',
      ],
    ]
  if (url.protocol === 'http:')
    return [
      [
        'Its server is not encrypted',
        'Bey sends no credentials over http. Use the https address of the API server.',
      ],
    ]
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return [['Its server has more than an address', 'server must have no user, password, query or fragment.']]
  return []
}

/** Without what could be a password. */
function shownServer(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : undefined
  return url === undefined ? '' : `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`
}

function isUsableProxy(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function credentialOf(user: KubeconfigUser | undefined): CredentialKind {
  const hasToken = Boolean(user?.token?.trim())
  const hasCertificate = user?.['client-certificate-data'] !== undefined
  if (hasToken && hasCertificate) return 'token-and-certificate'
  if (hasToken) return 'token'
  return hasCertificate ? 'client-certificate' : 'none'
}

/** Undefined: none is given; null: it is none. */
function certificateOf(user: KubeconfigUser | undefined) {
  const certificatePem = decode(user?.['client-certificate-data'])
  const keyPem = decode(user?.['client-key-data'])
  if (certificatePem === undefined && keyPem === undefined) return undefined
  if (!certificatePem || !keyPem) return null
  try {
    const isPair = new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(keyPem))
    return isPair ? { certificatePem, keyPem } : null
  } catch {
    // Whatever the parser found, it must not repeat a key.
    return null
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).fingerprint256 !== ''
  } catch {
    return false
  }
}

/** Base64 as text; undefined where there is none, null for what is no base64. */
function decode(text: string | undefined): string | null | undefined {
  if (text === undefined || text === '') return undefined
  const bare = text.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(bare)) return null
  return Buffer.from(bare, 'base64').toString('utf8')
}

/** Visible ASCII and blanks; undefined is nothing to send. */
function isHeaderText(text: string | undefined): boolean {
  return text === undefined || /^[\x20-\x7e]*$/.test(text)
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
