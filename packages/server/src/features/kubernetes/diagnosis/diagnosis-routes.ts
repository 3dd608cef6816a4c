import type { Handlers } from '../../../platform/http/handlers.ts'
import type { DiagnosisService } from './diagnosis-service.ts'

export function diagnosisRoutes(service: DiagnosisService): Handlers<'kubernetes.diagnosis'> {
  return {
    'kubernetes.diagnosis': ({ caller, params }) =>
      service.diagnose({ organizationId: caller.organizationId, clusterId: params.id }, params),
  }
}
