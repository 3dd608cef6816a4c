import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { useCurrentOrganization } from '../data/session.ts'
import { useDeadline } from '../data/use-deadline.ts'
import { lazyPart } from '../lib/lazy-part.ts'
import { Loading } from './loading.tsx'

const SecondFactorRequired = lazyPart(() => import('./pages/second-factor-required.tsx'))
const PasswordRefused = lazyPart(() => import('./pages/password-refused.tsx'))

/** Shows the console where the policies of the organization let its user in, else a page with what would. */
export function Admission({ children }: { children: ReactNode }) {
  const organization = useCurrentOrganization()
  const isFactorMissing = useDeadline(organization?.secondFactorFrom)
  if (!isFactorMissing && !organization?.refusesPassword) return children
  return (
    <Suspense fallback={<Loading />}>
      {isFactorMissing ? <SecondFactorRequired /> : <PasswordRefused />}
    </Suspense>
  )
}
