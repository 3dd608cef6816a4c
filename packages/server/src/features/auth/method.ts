import type { OauthProvider } from '@bey/contract'

/** How somebody signed in first; a second factor may have followed. */
export type SignInMethod = 'password' | 'passkey' | 'impersonation' | 'demo' | OauthProvider
