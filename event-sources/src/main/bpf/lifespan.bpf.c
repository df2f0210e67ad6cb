// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * What the kernel knows of a process when it is made, executes a program and ends, written into a ring buffer.
 * Only tracepoints with types (tp_btf); needs Linux 5.11 with BTF. scripts/bpf compiles it; the layouts of the
 * records are those of io.lifespan.event.ebpf.RingRecord.
 *
 * Threads are not told of. A process is told of once when its last thread has ended, and before that once if its
 * first thread leaves a process that lives on. Of the environment only the variables of the allow-list are copied
 * into the ring.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;

#define PIDTYPE_PGID 2
#define PIDTYPE_SID 3
#define SIGNAL_GROUP_EXIT 4

/* What is read of the kernel's types, found at load time by their names (CO-RE). */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct upid {
    int nr;
};

struct pid {
    unsigned int level;
    struct upid numbers[1];
};

struct qstr {
    u32 len;
    const unsigned char *name;
};

struct super_block {
    u32 s_dev;
};

struct hlist_bl_node {
    struct hlist_bl_node **pprev;
};

struct dentry {
    struct hlist_bl_node d_hash;
    struct dentry *d_parent;
    struct qstr d_name;
};

struct vfsmount {
    struct dentry *mnt_root;
};

struct mount {
    struct mount *mnt_parent;
    struct dentry *mnt_mountpoint;
    struct vfsmount mnt;
};

struct path {
    struct vfsmount *mnt;
    struct dentry *dentry;
};

struct file {
    struct path f_path;
};

struct fs_struct {
    struct path pwd;
};

struct mm_struct {
    unsigned long arg_start, arg_end, env_start, env_end;
    struct file *exe_file;
};

struct kernfs_node {
    u64 id;
};

struct cgroup {
    struct kernfs_node *kn;
};

struct cgroup_subsys_state {
    struct cgroup *cgroup;
};

struct css_set {
    struct cgroup_subsys_state *subsys[4];
    struct cgroup *dfl_cgrp;
};

typedef struct {
    u32 val;
} kuid_t;

typedef struct {
    u32 val;
} kgid_t;

struct cred {
    kuid_t uid, euid;
    kgid_t gid, egid;
};

struct tty_driver {
    int major, minor_start;
};

struct tty_struct {
    struct tty_driver *driver;
    int index;
};

typedef struct {
    int counter;
} atomic_t;

struct list_head {
    struct list_head *next;
};

struct task_io_accounting {
    u64 read_bytes, write_bytes;
};

struct sched_entity {
    u64 sum_exec_runtime;
};

struct sched_info {
    unsigned long long run_delay;
};

struct task_delay_info {
    u64 blkio_delay;
};

struct signal_struct {
    atomic_t live;
    int nr_threads;
    struct list_head thread_head;
    u64 utime, stime;
    unsigned long nvcsw, nivcsw, min_flt, maj_flt, inblock, oublock, maxrss;
    unsigned long long sum_sched_runtime;
    int group_exit_code;
    unsigned int flags;
    struct pid *pids[4];
    struct tty_struct *tty;
};

struct task_struct {
    unsigned int flags;
    struct mm_struct *mm;
    int exit_code, exit_signal;
    int pid, tgid;
    struct task_struct *real_parent, *group_leader;
    struct pid *thread_pid;
    u64 start_time, start_boottime;
    const struct cred *cred;
    char comm[16];
    struct fs_struct *fs;
    struct signal_struct *signal;
    struct css_set *cgroups;
    struct list_head thread_node;
    u64 utime, stime;
    unsigned long nvcsw, nivcsw, min_flt, maj_flt;
    struct sched_entity se;
    struct sched_info sched_info;
    struct task_delay_info *delays;
    struct task_io_accounting ioac;
};

struct linux_binprm {
    int argc;
};

#pragma clang attribute pop

enum kind { FORK = 1, EXEC = 2, EXIT = 3 };

enum flag {
    ARGS_CUT = 1,
    ENV_CUT = 2,
    EXE_CUT = 4,
    CWD_CUT = 8,
    ENDED = 16, /* the last thread has exited, not only the first */
    HAD_THREADS = 32,
    FACTS = 64,
    USAGE = 128,
};

/* The beginning of every record; a FORK has nothing more. */
struct start {
    u16 kind;
    u16 flags;
    int tgid;
    u64 time;           /* of CLOCK_MONOTONIC */
    u64 start_boottime; /* when the process was made, of CLOCK_BOOTTIME */
    int parent_pid;
    int parent_tgid;
};

struct end {
    int status;
    int exit_signal;
    int threads; /* alive */
    int pid;     /* of the thread that exited */
};

/* What a process used in its whole life, its threads included; follows an EXIT that has USAGE. */
struct usage {
    u64 runtime, utime, stime; /* ns on a CPU: measured, and as the ticks fell */
    u64 read, written;         /* bytes from and to storage */
    u64 run_delay;             /* ns ready to run without a CPU */
    u64 block_delay;           /* ns waiting for storage */
    u32 peak;                  /* pages resident at most, of all that it ran and of what it shared memory with */
    u32 voluntary, involuntary; /* context switches */
    u32 minor, major;          /* page faults */
    u32 known;                 /* enum known */
};

enum known { IO = 1, RUN_DELAY = 2, BLOCK_DELAY = 4 };

struct exited {
    struct start start;
    struct end end;
    struct usage usage;
};

#define MAX_NAMESPACES 8
#define BLOCK 512
#define MAX_THREADS 256 /* of those that are still there at the end of the last */

struct facts {
    struct start start;
    struct end end;
    int process_group;
    int session;
    u32 terminal;
    u32 task_flags;
    u32 uid, euid, gid, egid;
    u64 css_set; /* which set of control groups it is in: pointer and numbers, for comparison only */
    u64 cgroup_ids;
    char comm[16];
    u32 argc;
    u32 args_length, env_length, exe_length, cwd_length;
    u32 namespaces; /* below the initial one */
    int namespace_pids[MAX_NAMESPACES];
    u64 former_peak; /* pages resident at most before an exec */
};

struct exited_unknown {
    struct facts facts;
    struct usage usage;
};

#define MAX_ARGS 8192
#define MAX_ENV 8192
#define MAX_VARIABLE 4096
#define MAX_VARIABLES 256
#define MAX_NAME 256
#define MAX_NAMES 40
#define MAX_PATH 4096

#define MAX_PAYLOAD (MAX_ARGS + MAX_ENV + 2 * MAX_PATH)

struct executed {
    struct facts facts;
    char payload[MAX_PAYLOAD + MAX_VARIABLE];
    u32 used; /* of the payload; kept here and not in a register, where the verifier would follow its every value */
};

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 4 << 20);
} ring SEC(".maps");

/* Where records are put together: one that was cut short must not show the former's bytes, so only lengths count. */
struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, u32);
    __type(value, struct executed);
} scratch SEC(".maps");

struct dropped {
    u64 count;
    u64 padding[7];
};

/* Records for which the ring had no room: a slot for each kind. */
struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(map_flags, BPF_F_MMAPABLE);
    __uint(max_entries, 4);
    __type(key, u32);
    __type(value, struct dropped);
} drops SEC(".maps");

/* Processes of several threads whose end was told: two threads that exit at once may both look like the last. */
struct {
    __uint(type, BPF_MAP_TYPE_LRU_HASH);
    __uint(max_entries, 4096);
    __type(key, u64);
    __type(value, u8);
} ended SEC(".maps");

/* Set before the program is loaded. */
const volatile struct {
    u32 failed_exits_only;
    u32 exits_with_facts;
} config;

static __always_inline void write(u32 kind, void *record, u32 size) {
    if (bpf_ringbuf_output(&ring, record, size, 0) == 0) return;
    struct dropped *slot = bpf_map_lookup_elem(&drops, &kind);
    if (slot) __sync_fetch_and_add(&slot->count, 1);
}

static __always_inline void begin(struct start *start, u32 kind, struct task_struct *leader) {
    start->kind = kind;
    start->flags = 0;
    start->tgid = leader->tgid;
    start->start_boottime = leader->start_boottime;
    struct task_struct *parent = leader->real_parent;
    start->parent_pid = parent->pid;
    start->parent_tgid = parent->tgid;
}

static __always_inline int number(struct pid *pid) {
    return pid ? pid->numbers[0].nr : 0;
}

static __always_inline u32 terminal(struct signal_struct *signal) {
    struct tty_struct *tty = signal->tty;
    if (!tty) return 0;
    struct tty_driver *driver = tty->driver;
    u32 minor = driver->minor_start + tty->index;
    return (minor & 0xff) | driver->major << 8 | (minor & ~0xff) << 12;
}

static __always_inline u64 cgroup_id(struct cgroup *cgroup) {
    return cgroup ? cgroup->kn->id : 0;
}

static __always_inline u64 state_id(struct cgroup_subsys_state *state) {
    return state ? cgroup_id(state->cgroup) : 0;
}

static __always_inline void control_groups(struct facts *facts, struct task_struct *task) {
    struct css_set *set = task->cgroups;
    facts->css_set = (u64)set;
    u64 ids = cgroup_id(set->dfl_cgrp);
    ids = ids * 31 + state_id(set->subsys[0]);
    ids = ids * 31 + state_id(set->subsys[1]);
    ids = ids * 31 + state_id(set->subsys[2]);
    ids = ids * 31 + state_id(set->subsys[3]);
    facts->cgroup_ids = ids;
}

static __always_inline void identify(struct facts *facts, struct task_struct *task) {
    struct signal_struct *signal = task->signal;
    facts->process_group = number(signal->pids[PIDTYPE_PGID]);
    facts->session = number(signal->pids[PIDTYPE_SID]);
    facts->terminal = terminal(signal);
    facts->task_flags = task->flags;
    const struct cred *cred = task->cred;
    facts->uid = cred->uid.val;
    facts->euid = cred->euid.val;
    facts->gid = cred->gid.val;
    facts->egid = cred->egid.val;
    control_groups(facts, task);
    bpf_probe_read_kernel(facts->comm, sizeof facts->comm, task->comm);
    facts->argc = 0;
    facts->args_length = facts->env_length = facts->exe_length = facts->cwd_length = 0;
    struct pid *pid = task->thread_pid;
    u32 levels = pid ? pid->level : 0;
    facts->namespaces = levels;
    for (u32 i = 0; i < MAX_NAMESPACES; i++) {
        if (i >= levels) break;
        u64 size = bpf_core_type_size(struct upid);
        void *numbers = (void *)pid + bpf_core_field_offset(struct pid, numbers);
        void *nr = numbers + (i + 1) * size + bpf_core_field_offset(struct upid, nr);
        bpf_probe_read_kernel(&facts->namespace_pids[i], sizeof(int), nr);
    }
}

/* Where the payload goes on, or -1 if it is full. */
static __always_inline int position(struct executed *record) {
    u32 used = *(volatile u32 *)&record->used;
    return used > MAX_PAYLOAD ? -1 : (int)used;
}

/* Appends the arguments, each ended by a NUL. */
static __always_inline void arguments(struct executed *record, struct mm_struct *mm) {
    u64 start = mm->arg_start;
    u64 length = mm->arg_end - start;
    if (length > MAX_ARGS) {
        length = MAX_ARGS;
        record->facts.start.flags |= ARGS_CUT;
    }
    u32 bounded = length;
    asm volatile("" : "+r"(bounded));
    if (bounded > MAX_ARGS) return;
    if (bpf_probe_read_user(record->payload, bounded, (void *)start) != 0) {
        record->facts.start.flags |= ARGS_CUT;
        return;
    }
    record->facts.args_length = bounded;
    record->used = bounded;
}

/* True if a string begins with the name of a variable that may be read, and its '='. */
static __always_inline int allowed(const char *string) {
    u64 first = *(u64 *)string, second = *(u64 *)(string + 8), third = *(u64 *)(string + 16);
    if (first == 0x5241504543415254ULL) return (u32)second == 0x3d544e45;      /* TRACEPAR ENT= */
    if (first == 0x4154534543415254ULL) return (second & 0xffffff) == 0x3d4554; /* TRACESTA TE= */
    if (first == 0x5245535f4c45544fULL)                                         /* OTEL_SER VICE_NAM E= */
        return second == 0x4d414e5f45434956ULL && (third & 0xffff) == 0x3d45;
    if (first == 0x5345525f4c45544fULL) /* OTEL_RES OURCE_AT TRIBUTES = */
        return second == 0x54415f454352554fULL && third == 0x5345545542495254ULL && string[24] == '=';
    return 0;
}

/* Appends the variables that may be read; the others are overwritten by what comes next. */
static __always_inline void variables(struct executed *record, struct mm_struct *mm) {
    u64 from = mm->env_start, end = mm->env_end;
    u32 start = record->used;
    for (int i = 0; i < MAX_VARIABLES; i++) {
        if (from >= end) {
            record->facts.env_length = record->used - start;
            return;
        }
        int at = position(record);
        if (at < 0) break;
        char *string = record->payload + at;
        long length = bpf_probe_read_user_str(string, MAX_VARIABLE, (void *)from);
        if (length <= 0) break;
        if (length == MAX_VARIABLE) length--; /* No NUL yet: the rest will be looked at as if it were a variable. */
        from += length;
        if (!allowed(string)) continue;
        if (length == MAX_VARIABLE - 1) break;
        record->used += length;
    }
    record->facts.start.flags |= ENV_CUT;
    record->facts.env_length = record->used - start;
}

/*
 * Appends the names on the way from a file up to the root, each ended by a NUL; false if they did not fit. A first,
 * empty name says that the file was deleted.
 */
static __always_inline int names(struct executed *record, struct path *path) {
    struct dentry *dentry = BPF_CORE_READ(path, dentry);
    struct mount *mount = (void *)BPF_CORE_READ(path, mnt) - bpf_core_field_offset(struct mount, mnt);
    int at = position(record);
    if (!dentry || at < 0) return 0;
    if (dentry != BPF_CORE_READ(mount, mnt.mnt_root) && !BPF_CORE_READ(dentry, d_hash.pprev)) {
        record->payload[at] = 0;
        record->used++;
    }
    for (int i = 0; i < MAX_NAMES; i++) {
        struct dentry *parent = BPF_CORE_READ(dentry, d_parent);
        if (dentry == BPF_CORE_READ(mount, mnt.mnt_root)) {
            struct mount *below = BPF_CORE_READ(mount, mnt_parent);
            if (below == mount) return 1;
            dentry = BPF_CORE_READ(mount, mnt_mountpoint);
            mount = below;
            continue;
        }
        at = position(record);
        if (at < 0) return 0;
        long length = bpf_probe_read_kernel_str(record->payload + at, MAX_NAME, BPF_CORE_READ(dentry, d_name.name));
        if (length <= 0) return 0;
        record->used += length;
        if (dentry == parent) return 1; /* A file that never had a place, as of memfd_create. */
        dentry = parent;
    }
    return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child) {
    if (child->pid != child->tgid) return 0;
    struct start record;
    begin(&record, FORK, child);
    record.time = child->start_time;
    write(FORK, &record, sizeof record);
    return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, int old_pid, struct linux_binprm *binary) {
    u32 zero = 0;
    struct executed *record = bpf_map_lookup_elem(&scratch, &zero);
    if (!record) return 0;
    begin(&record->facts.start, EXEC, task);
    record->facts.start.time = bpf_ktime_get_ns();
    identify(&record->facts, task);
    record->facts.argc = binary->argc;
    record->facts.former_peak = task->signal->maxrss;
    struct mm_struct *mm = task->mm;
    record->used = 0;
    record->facts.start.flags = EXE_CUT | CWD_CUT;
    if (mm) {
        arguments(record, mm);
        variables(record, mm);
        struct file *file = mm->exe_file;
        u32 before = record->used;
        if (file && names(record, &file->f_path)) {
            record->facts.start.flags &= ~EXE_CUT;
            record->facts.exe_length = record->used - before;
        } else {
            record->used = before;
        }
    }
    struct fs_struct *fs = task->fs;
    u32 before = record->used;
    if (fs && names(record, &fs->pwd)) {
        record->facts.start.flags &= ~CWD_CUT;
        record->facts.cwd_length = record->used - before;
    } else {
        record->used = before;
    }
    int length = position(record);
    if (length < 0) return 0;
    write(EXEC, record, sizeof record->facts + length);
    return 0;
}

/* The status that wait shows: that of the group if it ended as one, else that of its first thread. */
static __always_inline int status(struct signal_struct *signal, struct task_struct *leader) {
    return signal->flags & SIGNAL_GROUP_EXIT ? signal->group_exit_code : leader->exit_code;
}

static __always_inline void add(struct usage *usage, struct task_struct *task) {
    usage->runtime += BPF_CORE_READ(task, se.sum_exec_runtime);
    usage->utime += BPF_CORE_READ(task, utime);
    usage->stime += BPF_CORE_READ(task, stime);
    usage->voluntary += BPF_CORE_READ(task, nvcsw);
    usage->involuntary += BPF_CORE_READ(task, nivcsw);
    usage->minor += BPF_CORE_READ(task, min_flt);
    usage->major += BPF_CORE_READ(task, maj_flt);
    if (!bpf_core_field_exists(task->ioac.read_bytes)) return;
    usage->read += BPF_CORE_READ(task, ioac.read_bytes);
    usage->written += BPF_CORE_READ(task, ioac.write_bytes);
}

/* Adds up the threads that are still there to those whose use the kernel has added up when they were buried. */
static __always_inline void measure(struct usage *usage, struct task_struct *task, struct signal_struct *signal) {
    usage->runtime = signal->sum_sched_runtime;
    usage->utime = signal->utime;
    usage->stime = signal->stime;
    usage->peak = signal->maxrss;
    usage->voluntary = signal->nvcsw;
    usage->involuntary = signal->nivcsw;
    usage->minor = signal->min_flt;
    usage->major = signal->maj_flt;
    usage->read = usage->written = usage->run_delay = usage->block_delay = usage->known = 0;
    if (bpf_core_field_exists(task->ioac.read_bytes)) {
        /* Not signal->ioac, which has in it what the children used that were waited for. */
        usage->read = (u64)signal->inblock * BLOCK;
        usage->written = (u64)signal->oublock * BLOCK;
        usage->known = IO;
    }
    if (signal->nr_threads == 1) {
        add(usage, task);
        if (signal->sum_sched_runtime != 0) return;
        if (bpf_core_field_exists(task->sched_info.run_delay)) {
            usage->run_delay = task->sched_info.run_delay;
            usage->known |= RUN_DELAY;
        }
        if (bpf_core_field_exists(task->delays->blkio_delay) && task->delays) {
            usage->block_delay = task->delays->blkio_delay;
            usage->known |= BLOCK_DELAY;
        }
        return;
    }
    struct list_head *head = (void *)signal + bpf_core_field_offset(struct signal_struct, thread_head);
    struct list_head *node = BPF_CORE_READ(head, next);
    for (int i = 0; i < MAX_THREADS && node && node != head; i++) {
        add(usage, (void *)node - bpf_core_field_offset(struct task_struct, thread_node));
        node = BPF_CORE_READ(node, next);
    }
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task) {
    struct signal_struct *signal = task->signal;
    struct task_struct *leader = task->group_leader;
    int alive = signal->live.counter;
    int several = signal->nr_threads > 1;
    if (alive > 0) {
        if (task->pid != task->tgid || signal->flags & SIGNAL_GROUP_EXIT) return 0;
    } else if (several) {
        u64 key = leader->start_boottime ^ (u64)leader->tgid << 40;
        u8 one = 1;
        if (bpf_map_update_elem(&ended, &key, &one, BPF_NOEXIST) != 0) return 0;
    }
    struct end end = {
        .status = alive > 0 ? task->exit_code : status(signal, leader),
        .exit_signal = leader->exit_signal,
        .threads = alive,
        .pid = task->pid,
    };
    if (config.failed_exits_only && (alive > 0 || end.status == 0)) return 0;
    u32 flags = (several ? HAD_THREADS : 0) | (alive > 0 ? 0 : ENDED | USAGE);
    if (!config.exits_with_facts) {
        struct exited record;
        begin(&record.start, EXIT, leader);
        record.start.flags = flags;
        record.start.time = bpf_ktime_get_ns();
        record.end = end;
        if (alive == 0) measure(&record.usage, task, signal);
        write(EXIT, &record, alive > 0 ? sizeof record - sizeof record.usage : sizeof record);
        return 0;
    }
    struct exited_unknown record = {};
    begin(&record.facts.start, EXIT, leader);
    record.facts.start.flags = flags | FACTS;
    record.facts.start.time = bpf_ktime_get_ns();
    record.facts.end = end;
    identify(&record.facts, leader);
    if (alive == 0) measure(&record.usage, task, signal);
    write(EXIT, &record, alive > 0 ? sizeof record - sizeof record.usage : sizeof record);
    return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
