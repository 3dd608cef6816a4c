import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { session } from '../../data/session.ts'
import { BareGuard } from '../bare-guard.tsx'
import { AuthGate, Guard } from '../guard.tsx'
import { WholePageError } from '../error-boundary.tsx'
import { RootFrame } from '../root-frame.tsx'
import { pages, screen } from '../screens.ts'
import { parseReturnPath } from '../return-path.ts'

export const rootRoute = createRootRoute({ component: RootFrame, errorComponent: WholePageError })

/** Login and sign-up, which redirect signed-in users. */
export const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'auth',
  validateSearch: parseReturnPath,
  component: AuthGate,
  errorComponent: WholePageError,
})

export const loginRoute = createRoute({
  getParentRoute: () => authRoute,
  path: 'login',
  ...screen('Login', pages.login),
})

export const signupRoute = createRoute({
  getParentRoute: () => authRoute,
  path: 'signup',
  ...screen('Create an account', pages.signup),
})

export const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'forgot-password',
  ...screen('Forgot your password?', pages.forgotPassword),
})

/** Where the link of an invitation leads, whether or not one is signed in. */
export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'invite',
  ...screen('Invitation', pages.invitation),
})

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'reset-password',
  ...screen('Choose a new password', pages.resetPassword),
})

/** Where a provider's sign-in comes back to. */
export const oauthCallbackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'oauth/callback',
  ...screen('Logging in', pages.oauthCallback),
})

/** Where the address leads that the server prints when it is started to show a demo. */
export const demoVisitRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'demo/visit',
  ...screen('Opening the demo', pages.demoVisit),
})

/** Opens a link to a secret; anyone who has the link needs no account. */
export const secretShareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'share/$id',
  ...screen('A secret for you', pages.secretShare),
})

/** Everything behind the guard. Without a token the page is not even loaded. */
export const guardedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'guarded',
  component: Guard,
  errorComponent: WholePageError,
  beforeLoad: ({ location }) => {
    if (session.get().phase === 'signed-out') {
      throw redirect({ to: '/login', search: parseReturnPath({ from: location.href }), replace: true })
    }
  },
})

/** Needs a session, but has a page of its own without the sidebar. */
export const bareRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'bare',
  component: BareGuard,
  errorComponent: WholePageError,
})

/** Where a person confirms that a program logs in as them. */
export const deviceRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: 'device',
  ...screen('Log in a program', pages.deviceLogin),
})
