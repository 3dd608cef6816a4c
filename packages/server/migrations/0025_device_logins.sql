CREATE TABLE "device_logins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_code_hash" "bytea" NOT NULL,
	"user_code_hash" "bytea" NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"host_name" text NOT NULL,
	"client" text NOT NULL,
	"version" text NOT NULL,
	"platform" text NOT NULL,
	"ip" text NOT NULL,
	"user_id" integer,
	"session_id" uuid,
	"interval_seconds" integer NOT NULL,
	"polled_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "device_logins_device_code_hash_key" UNIQUE("device_code_hash"),
	CONSTRAINT "device_logins_user_code_hash_key" UNIQUE("user_code_hash")
);
--> statement-breakpoint
ALTER TABLE "device_logins" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device_name" text;--> statement-breakpoint
ALTER TABLE "device_logins" ADD CONSTRAINT "device_logins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_logins" ADD CONSTRAINT "device_logins_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_logins_user_id_idx" ON "device_logins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "device_logins_session_id_idx" ON "device_logins" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "device_logins_expires_at_idx" ON "device_logins" USING btree ("expires_at");--> statement-breakpoint
CREATE POLICY "system" ON "device_logins" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);