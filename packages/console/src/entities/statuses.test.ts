// @vitest-environment node
import { entityOf, entityTypes } from '@bey/contract'
import { expect, test } from 'vitest'
import { statusLook, statusTable } from '../ui/status-table.ts'

test('every status of every entity has a look of its own, and what fails stands out', () => {
  for (const type of entityTypes) {
    for (const [status, tone] of Object.entries(entityOf(type).statuses)) {
      expect(statusTable, `${type} ${status}`).toHaveProperty([status.toLowerCase()])
      if (tone === 'danger')
        expect(['danger', 'warn'], `${type} ${status}`).toContain(
          statusLook(status, entityOf(type).statusOwner).tone,
        )
    }
  }
})
