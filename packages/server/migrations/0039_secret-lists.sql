DROP INDEX "secrets_list_name_idx";--> statement-breakpoint
CREATE INDEX "secrets_by_name_idx" ON "secrets" USING btree ("organization_id","name","id","status");--> statement-breakpoint
CREATE INDEX "secrets_status_idx" ON "secrets" USING btree ("organization_id","status");