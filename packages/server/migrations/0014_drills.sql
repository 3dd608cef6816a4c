ALTER TABLE "database_restores" ADD COLUMN "proof" text;--> statement-breakpoint
ALTER TABLE "database_restores" ADD COLUMN "lost_ms" bigint;--> statement-breakpoint
ALTER TABLE "database_restores" ADD COLUMN "machine_id" text;--> statement-breakpoint
ALTER TABLE "database_restores" ADD COLUMN "dir" text;--> statement-breakpoint
ALTER TABLE "database_restores" ADD COLUMN "port" integer;