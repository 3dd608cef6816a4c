import { Suspense } from 'react'
import { useUser } from '../data/session.ts'
import { useChangeSearch } from '../lib/change-search.ts'
import { lazyPart } from '../lib/lazy-part.ts'
import { useRoleQuestion } from './role-explanation.ts'

const RoleDrawer = lazyPart(() => import('../features/members/role-drawer.tsx'))

/** The table of roles over whatever page asks for it by its address. */
export function RoleLayer() {
  const question = useRoleQuestion()
  const changeSearch = useChangeSearch()
  const isSignedIn = useUser() !== undefined
  if (!question || !isSignedIn) return null
  const close = () => changeSearch({ role: undefined, why: undefined })
  return (
    <Suspense fallback={null}>
      <RoleDrawer {...question} onClose={close} />
    </Suspense>
  )
}
