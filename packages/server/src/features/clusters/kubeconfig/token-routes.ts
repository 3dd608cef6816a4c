import { answer } from '../../../platform/http/answer.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import type { TokenService } from './token-service.ts'

export function tokenRoutes(
  tokens: TokenService,
): Handlers<'clusters.kubeconfig' | 'clusters.tokens' | 'clusters.revokeToken'> {
  return {
    'clusters.kubeconfig': async ({ params, query, caller }) => {
      const { yaml, fileName } = await tokens.createKubeconfig(caller, params.id, query.expires_in_hours)
      return answer(yaml, {
        headers: {
          'content-disposition': `attachment; filename="${fileName}"`,
          // The answer to this GET holds a credential.
          'cache-control': 'no-store',
        },
      })
    },
    'clusters.tokens': ({ params, query, caller }) => tokens.list(caller, params.id, query),
    'clusters.revokeToken': async ({ params, caller }) => {
      await tokens.revoke(caller, params.id, params.tokenId)
      return null
    },
  }
}
