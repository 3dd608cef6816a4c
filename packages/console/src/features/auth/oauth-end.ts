import { isOauthRefusal, type OauthRefusal } from '@bey/contract'

/** How a sign-in with a provider ended, as the server wrote it behind the hash of the page's address. */
export type OauthEnd = { provider: string; from: string } & (
  | { kind: 'code'; code: string }
  | { kind: 'link' | 'confirm' }
  | { kind: 'error'; error: OauthRefusal }
)

/** Anybody can make a link to the page: only known words and own paths are taken from it. */
export function oauthEndOf(hash: string): OauthEnd {
  const parts = new URLSearchParams(hash.replace(/^#/, ''))
  const from = parts.get('from') ?? '/'
  const known = {
    provider: parts.get('provider') ?? '',
    from: /^\/(?![/\\])/.test(from) && from.length <= 2000 ? from : '/',
  }
  const [code, done, error] = [parts.get('code'), parts.get('done'), parts.get('error')]
  if (code) return { ...known, kind: 'code', code }
  if (done === 'link' || done === 'confirm') return { ...known, kind: done }
  if (error === null) return { ...known, kind: 'error', error: 'state_mismatch' }
  return { ...known, kind: 'error', error: isOauthRefusal(error) ? error : 'provider_failed' }
}
