ALTER TABLE "database_backup_policies" ADD COLUMN "next_backup_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "database_backup_policies" ADD COLUMN "next_drill_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "database_backup_policies" ADD COLUMN "backup_note" text;--> statement-breakpoint
ALTER TABLE "database_backup_policies" ADD COLUMN "drill_note" text;