/** The part of oidc-provider that tests use; the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Client = {
    client_id: string
    client_secret: string
    redirect_uris: string[]
    token_endpoint_auth_method?: string
  }
  type Account = { accountId: string; claims(): Record<string, unknown> }

  export default class Provider {
    constructor(
      issuer: string,
      configuration: {
        clients: Client[]
        claims: Record<string, string[]>
        pkce: { required(): boolean }
        cookies: { keys: string[] }
        features: { devInteractions: { enabled: boolean } }
        interactions: { url(context: unknown, interaction: { uid: string }): string }
        findAccount(context: unknown, id: string): Promise<Account>
        renderError(context: { type: string; body: unknown }, out: unknown, error: unknown): void
      },
    )
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ params: Record<string, string> }>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>
    Grant: new (values: { accountId: string; clientId: string }) => {
      addOIDCScope(scope: string): void
      save(): Promise<string>
    }
  }
}
