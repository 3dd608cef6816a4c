// oxlint-disable-next-line typescript/triple-slash-reference -- the package brings no types to import
/// <reference path="./oidc-provider.d.ts" />
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** Whom the provider takes every visitor for. */
export type ProviderAccount = {
  sub: string
  email: string
  email_verified: boolean
  name: string
}

export type OpenidProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  account: ProviderAccount
  /** Says no in the name of the visitor, as long as it is set. */
  refuses: boolean
  /** Begins to answer, for a client with this address to return to. */
  serve(redirectUri: string): void
  stop(): Promise<void>
}

/** A real OpenID provider that asks its visitors nothing. */
export async function startOpenidProvider(): Promise<OpenidProvider> {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => {
    response.writeHead(503).end()
  }
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const idp: OpenidProvider = {
    issuer,
    clientId: 'bey',
    clientSecret: 'a-secret-of-this-test',
    account: { sub: 'one', email: 'one@example.com', email_verified: true, name: 'Ada' },
    refuses: false,
    serve(redirectUri) {
      const provider = providerOf(idp, redirectUri)
      const callback = provider.callback()
      answer = (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return callback(request, response)
        interact(provider, idp, request, response).catch((error: unknown) => {
          response.writeHead(500).end(String(error))
        })
      }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return idp
}

function providerOf(idp: OpenidProvider, redirectUri: string): Provider {
  return new Provider(idp.issuer, {
    clients: [{ client_id: idp.clientId, client_secret: idp.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['a-key-of-this-test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: async (_context, id) => ({ accountId: id, claims: () => ({ ...idp.account, sub: id }) }),
    renderError(context, _out, error) {
      context.type = 'text'
      context.body = String(error)
    },
  })
}

async function interact(
  provider: Provider,
  { account, refuses }: OpenidProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response)
  const { sub: accountId } = account
  const grant = new provider.Grant({ accountId, clientId: params['client_id'] ?? '' })
  grant.addOIDCScope('openid email profile')
  const result = refuses
    ? { error: 'access_denied' }
    : { login: { accountId }, consent: { grantId: await grant.save() } }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}
