import { randomUUID } from 'node:crypto'
import { insertAudit, type AuditRow } from '../../platform/audit/audit.ts'
import type { Person } from '../../platform/act.ts'
import { type DemoPart, type DemoScene, seededMark } from '../../platform/demo.ts'

/** An act of the past of a demo. */
type DemoAct = {
  at: Date
  by: Person
  via?: 'console' | 'kubectl' | 'api'
  action: string
  class: AuditRow['class']
  target?: { type: string; id: string | number; name: string }
  diff?: Record<string, unknown>
}

/** What people did in the two weeks before a demo: it is linked into the chain as everything else is. */
export function auditDemo(actsOf: (scene: DemoScene) => readonly DemoAct[]): DemoPart {
  return async (db, scene) => {
    const acts = [...actsOf(scene), ...signIns(scene)].toSorted((a, b) => a.at.getTime() - b.at.getTime())
    await insertAudit(
      db,
      acts.map((act) => ({
        organizationId: scene.organizationId,
        id: randomUUID(),
        at: act.at,
        actorType: 'user',
        actorId: String(act.by.id),
        actorDisplay: act.by.name,
        actorEmail: act.by.email,
        via: act.via ?? 'console',
        action: act.action,
        class: act.class,
        targetType: act.target?.type,
        targetId: act.target?.id.toString(),
        targetName: act.target?.name,
        diff: { ...act.diff, ...seededMark },
      })),
    )
  }
}

const dayMs = 86_400_000

/** Each colleague on each working day, some time in the morning. */
function signIns({ people, now, random }: DemoScene): DemoAct[] {
  const acts: DemoAct[] = []
  for (let day = 14; day > 0; day -= 1) {
    const morning = new Date(now.getTime() - day * dayMs)
    morning.setUTCHours(7, 0, 0, 0)
    if (morning.getUTCDay() === 0 || morning.getUTCDay() === 6) continue
    for (const by of Object.values(people)) {
      const at = new Date(morning.getTime() + random() * 2 * 3_600_000)
      if (at >= now) continue
      acts.push({
        at,
        by,
        action: 'session.begin',
        class: 'auth',
        target: { type: 'user', id: by.id, name: by.name },
      })
    }
  }
  return acts
}
