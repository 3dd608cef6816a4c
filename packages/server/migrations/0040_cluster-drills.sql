ALTER TABLE "database_backup_policies" ADD COLUMN "drill_by" integer;--> statement-breakpoint
ALTER TABLE "database_restores" ADD COLUMN "cluster" jsonb;--> statement-breakpoint
ALTER TABLE "database_backup_policies" ADD CONSTRAINT "database_backup_policies_drill_by_users_id_fk" FOREIGN KEY ("drill_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "database_backup_policies_drill_by_idx" ON "database_backup_policies" USING btree ("drill_by");