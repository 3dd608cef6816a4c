import type { Permission, Role } from '@bey/contract'
import { deniedPermission, permissionTable, roles } from '@bey/contract'
import { useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useChangeSearch } from '../lib/change-search.ts'
import { oneOf } from '../lib/list-location.ts'
import type { ExplainRefusal } from '../ui/refusal.ts'

/** What the table of roles is asked: `?role=MEMBER&why=clusters.create`. */
export interface RoleQuestion {
  role: Role
  /** The permission that is missing; undefined to see the whole table. */
  why: Permission | undefined
}

/** Opens the table of roles over the page, for reasons that a role is missing. */
export function useExplainRole(): ExplainRefusal {
  const changeSearch = useChangeSearch()
  return useCallback(
    (reason) => {
      const found = deniedPermission(reason)
      if (!found) return undefined
      return () => changeSearch({ role: found.role, why: found.permission }, { isStep: true })
    },
    [changeSearch],
  )
}

/** The question in the address; undefined while nothing is asked. Anybody may have written the address. */
export function useRoleQuestion(): RoleQuestion | undefined {
  const raw: Record<string, unknown> = useSearch({ strict: false })
  const { role: roleText, why: whyText } = raw
  return useMemo(() => {
    const role = oneOf(roles, String(roleText))
    const why = oneOf(Object.keys(permissionTable) as Permission[], String(whyText))
    return role ? { role, why } : undefined
  }, [roleText, whyText])
}
