CREATE TABLE "peers" (
	"id" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"protocol" integer NOT NULL,
	"unreachable" text[] DEFAULT '{}' NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"heartbeat_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "peers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE INDEX "peers_heartbeat_at_idx" ON "peers" USING btree ("heartbeat_at");--> statement-breakpoint
CREATE POLICY "system" ON "peers" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);