import { z } from 'zod'
import { actTool } from '../tool.ts'

export const acknowledgeAlert = actTool({
  name: 'acknowledge_alert',
  title: 'Acknowledge an alert',
  description: 'Takes over an alert that fires, so that others see that it is looked after.',
  needs: ['alerts.update', 'alerts.read'],
  input: { alertId: z.uuid().describe('Id of the alert, as list_alerts answers it.') },
  async plan({ call }, { alertId }) {
    const { name, state } = await call('alerts.get', { params: { id: alertId } })
    return {
      summary: `The alert ${name}, which is ${state}, is acknowledged in your name.`,
      async apply(context) {
        await context.call('alerts.acknowledge', { params: { id: alertId } })
        return { summary: `The alert ${name} is acknowledged.` }
      },
    }
  },
})
