! The same of Fortran, by `use mpi` (names as of mpif.h).
program plain_mpif
  use mpi
  implicit none
  integer :: me, ranks, ierror, i, j, wrong
  integer :: from(400), to(400), counts(16), places(16)
  double precision :: sums(10)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  wrong = 0
  do i = 1, 10 * ranks
    from(i) = me * 1000 + i
  end do
  call MPI_Alltoall(from, 10, MPI_INTEGER, to, 10, MPI_INTEGER, MPI_COMM_WORLD, ierror)
  do i = 1, 10 * ranks
    if (to(i) /= (i - 1) / 10 * 1000 + me * 10 + mod(i - 1, 10) + 1) wrong = wrong + 1
  end do
  do i = 1, ranks
    counts(i) = i
    places(i) = i * (i - 1) / 2
  end do
  from = me
  call MPI_Allgatherv(from, me + 1, MPI_INTEGER, to, counts, places, MPI_INTEGER, MPI_COMM_WORLD, ierror)
  do i = 1, ranks
    do j = 1, i
      if (to(places(i) + j) /= i - 1) wrong = wrong + 1
    end do
  end do
  sums = me
  call MPI_Allreduce(MPI_IN_PLACE, sums, 10, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (any(sums /= ranks * (ranks - 1) / 2)) wrong = wrong + 1
  call MPI_Bcast(wrong, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  if (me == 0 .and. wrong == 0) print '(a)', 'all right'
  call MPI_Finalize(ierror)
end program
