ALTER TABLE "step_logs" DROP CONSTRAINT "step_logs_organization_id_run_id_workflow_runs_organization_id_id_fk";--> statement-breakpoint
ALTER TABLE "step_logs" DROP CONSTRAINT "step_logs_organization_id_step_run_id_step_runs_organization_id_id_fk";--> statement-breakpoint
ALTER TABLE "step_runs" DROP CONSTRAINT "step_runs_organization_id_id_key";--> statement-breakpoint
ALTER TABLE "step_logs" ALTER COLUMN "step_run_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "step_runs" ADD CONSTRAINT "step_runs_run_id_id_key" UNIQUE("organization_id","run_id","id");--> statement-breakpoint
ALTER TABLE "step_logs" ADD CONSTRAINT "step_logs_step_fk" FOREIGN KEY ("organization_id","run_id","step_run_id") REFERENCES "public"."step_runs"("organization_id","run_id","id") ON DELETE cascade ON UPDATE no action;